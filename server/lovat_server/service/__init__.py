"""What the server can do, in domain types: no protobuf, no network."""
