"""gRPC in front of the service: bytes to domain values and back, errors to status codes."""
