"""The web table: one page, and the contract relayed to the browser by the Connect protocol."""
