import { cliError } from "../errors.js"

/**
 * AvalancheGo's flags that have no meaning here: peers, consensus, other chains, its own files. A node accepts them with a warning, so that
 * a configuration for AvalancheGo starts here unchanged. Flags without a value are switches.
 */
export const referenceSwitches: readonly string[] = [
  "api-health-enabled",
  "api-info-enabled",
  "api-keystore-enabled",
  "api-metrics-enabled",
  "db-read-only",
  "http-tls-enabled",
  "index-allow-incomplete",
  "log-disable-display-plugin-logs",
  "log-rotater-compress-enabled",
  "meter-vms-enabled",
  "network-tcp-proxy-enabled",
  "partial-sync-primary-network",
  "profile-continuous-enabled",
  "sybil-protection-enabled",
  "tracing-enabled",
  "tracing-insecure",
]

export const referenceValues: readonly string[] = [
  "benchlist-fail-threshold",
  "benchlist-min-failing-duration",
  "chain-aliases-file",
  "chain-aliases-file-content",
  "chain-config-content",
  "chain-config-dir",
  "chain-data-dir",
  "config-file-content-type",
  "consensus-app-concurrency",
  "consensus-shutdown-timeout",
  "db-config-file",
  "db-config-file-content",
  "db-type",
  "fd-limit",
  "health-check-frequency",
  "http-shutdown-wait",
  "http-tls-cert-file",
  "http-tls-cert-file-content",
  "http-tls-key-file",
  "http-tls-key-file-content",
  "log-dir",
  "log-display-level",
  "log-format",
  "log-rotater-max-age",
  "log-rotater-max-files",
  "log-rotater-max-size",
  "network-health-max-portion-send-queue-full",
  "network-peer-read-buffer-size",
  "network-peer-write-buffer-size",
  "network-tcp-proxy-read-timeout",
  "profile-continuous-freq",
  "profile-continuous-max-files",
  "profile-dir",
  "public-ip-resolution-frequency",
  "public-ip-resolution-service",
  "router-health-max-drop-rate",
  "simplex-max-network-delay",
  "simplex-max-rebroadcast-wait",
  "state-sync-ids",
  "state-sync-ips",
  "subnet-config-content",
  "subnet-config-dir",
  "sybil-protection-disabled-weight",
  "system-tracker-cpu-halflife",
  "system-tracker-disk-halflife",
  "system-tracker-disk-required-available-space",
  "system-tracker-disk-required-available-space-percentage",
  "system-tracker-disk-warning-available-space-percentage",
  "system-tracker-disk-warning-threshold-available-space",
  "system-tracker-frequency",
  "system-tracker-processing-halflife",
  "throttler-inbound-cpu-max-non-validator-node-usage",
  "throttler-inbound-cpu-max-non-validator-usage",
  "throttler-inbound-cpu-max-recheck-delay",
  "throttler-inbound-cpu-validator-alloc",
  "throttler-inbound-disk-max-non-validator-node-usage",
  "throttler-inbound-disk-max-non-validator-usage",
  "throttler-inbound-disk-max-recheck-delay",
  "throttler-inbound-disk-validator-alloc",
  "tracing-endpoint",
  "tracing-exporter-type",
  "tracing-headers",
  "tracing-sample-rate",
  "track-subnets",
  "uptime-metric-freq",
  "vm-aliases-file",
  "vm-aliases-file-content",
]

/** Switches of AvalancheGo that protect something, with the value that Serac cannot follow, and what does the same here. */
const protections: Readonly<Record<string, { readonly value: boolean; readonly instead: string }>> = {
  "http-tls-enabled": {
    value: true,
    instead: "Serac serves no TLS itself; put a proxy with TLS in front of it (deploy/nginx.conf), and leave the flag out",
  },
  "api-metrics-enabled": {
    value: false,
    instead: "--metrics-port serves the metrics at another port, or let a proxy hide /ext/metrics",
  },
  "api-health-enabled": { value: false, instead: "let a proxy hide /ext/health, and leave the flag out" },
  "api-info-enabled": { value: false, instead: "let a proxy hide /ext/info, and leave the flag out" },
  "api-keystore-enabled": { value: false, instead: "--public serves no keystore, or let a proxy hide /ext/keystore" },
}

/** Refuses switches of AvalancheGo whose loss would open something. Throws `cli.lost_protection`. */
export function checkProtections(flags: Readonly<Record<string, unknown>>): void {
  for (const [name, { value, instead }] of Object.entries(protections)) {
    if (flags[name] === value) throw cliError("cli.lost_protection", { flag: `--${name}=${value}`, instead })
  }
}
