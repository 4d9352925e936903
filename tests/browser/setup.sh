#!/usr/bin/env bash
# Installs what the browser tests need: Debian's Chromium with its driver, and fonts.
set -euo pipefail
apt-get update -qq
apt-get install -y --no-install-recommends chromium chromium-driver fonts-dejavu-core
