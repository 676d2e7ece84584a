#!/usr/bin/env bash
# Stops the chain that start.sh has started, waits until it has ended, and prints its output.
set -euo pipefail

: "${CHAIN_PID:?no private chain was started in this job}"
kill "$CHAIN_PID" 2>/dev/null || echo "The private chain had ended before"
for ((waited = 0; waited < 150; waited++)); do
  if ! kill -0 "$CHAIN_PID" 2>/dev/null; then
    cat "$CHAIN_LOG"
    exit 0
  fi
  sleep 0.2
done
echo "::error::the private chain does not stop"
exit 1
