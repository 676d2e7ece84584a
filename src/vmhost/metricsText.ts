import { type Metric, type MetricFamily, MetricType } from "./proto/metrics_pb.js"

/** The metrics of one chain. */
export interface ChainMetrics {
  /** The prefix of the names, such as `avalanche_subnetevm`. */
  readonly prefix: string
  /** The value of the label `chain`. */
  readonly chain: string
  readonly families: readonly MetricFamily[]
}

interface Family {
  readonly help: string
  readonly type: string
  readonly lines: string[]
}

/** Prints the metrics of VMs in Prometheus' text format, with the chain as a label. Chains of the same VM share the families. */
export function metricsText(chains: readonly ChainMetrics[]): string {
  const families = new Map<string, Family>()
  for (const { prefix, chain, families: own } of chains) {
    for (const { name, help, type, metric } of own) {
      const full = `${prefix}_${name}`
      const family = families.get(full) ?? { help, type: MetricType[type].toLowerCase(), lines: [] }
      families.set(full, family)
      for (const each of metric) family.lines.push(...samples(full, chain, each))
    }
  }
  const texts = [...families].map(([name, { help, type, lines }]) => {
    const escaped = help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
    return [`# HELP ${name} ${escaped}`, `# TYPE ${name} ${type === "gauge_histogram" ? "histogram" : type}`, ...lines].join("\n")
  })
  return texts.length === 0 ? "" : `${texts.join("\n")}\n`
}

function samples(name: string, chain: string, { label, gauge, counter, untyped, summary, histogram }: Metric): string[] {
  const labels = (more: readonly (readonly [string, string])[] = []) => {
    const all = [...label.map((each) => [each.name, each.value] as const), ["chain", chain] as const, ...more]
    return `{${all.map(([key, value]) => `${key}="${escapeValue(value)}"`).join(",")}}`
  }
  const simple = gauge ?? counter ?? untyped
  if (simple) return [`${name}${labels()} ${number(simple.value)}`]
  if (summary) {
    return [
      ...summary.quantile.map((each) => `${name}${labels([["quantile", number(each.quantile)]])} ${number(each.value)}`),
      `${name}_sum${labels()} ${number(summary.sampleSum)}`,
      `${name}_count${labels()} ${summary.sampleCount}`,
    ]
  }
  if (!histogram) return []
  return [
    ...histogram.bucket.map((each) => `${name}_bucket${labels([["le", number(each.upperBound)]])} ${each.cumulativeCount}`),
    `${name}_bucket${labels([["le", "+Inf"]])} ${histogram.sampleCount}`,
    `${name}_sum${labels()} ${number(histogram.sampleSum)}`,
    `${name}_count${labels()} ${histogram.sampleCount}`,
  ]
}

const escapeValue = (value: string): string => value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")

function number(value: number): string {
  if (Number.isNaN(value)) return "NaN"
  return Number.isFinite(value) ? String(value) : value > 0 ? "+Inf" : "-Inf"
}
