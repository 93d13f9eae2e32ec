# syntax=docker/dockerfile:1

FROM python:3.11-slim AS build
WORKDIR /src
RUN python -m venv /opt/lovat
COPY pyproject.toml README.md LICENSE ./
COPY proto proto
COPY server server
COPY clients clients
COPY scenarios scenarios
RUN /opt/lovat/bin/pip install --no-cache-dir .

FROM python:3.11-slim
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin lovat
COPY --from=build /opt/lovat /opt/lovat
ENV PATH=/opt/lovat/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    LOVAT_HOST=0.0.0.0 \
    LOVAT_PORT=50051
USER lovat
EXPOSE 50051
HEALTHCHECK --interval=15s --timeout=5s --start-period=10s --retries=3 \
    CMD ["python", "-m", "lovat_server.transport.probe"]
ENTRYPOINT ["lovat-server"]
