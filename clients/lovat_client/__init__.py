"""Clients of the rules server: SDK, command line, bots. They know the contract, never the server.

    from lovat_client.sdk import LovatClient
"""
