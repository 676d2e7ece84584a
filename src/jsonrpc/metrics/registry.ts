/** The label names and values of one series of a metric. */
export type Labels = Readonly<Record<string, string>>

/** One series of a counter, a number that only grows. */
export interface Counter {
  value: number
}

/** One series of a histogram, which counts values by a few upper bounds. */
export interface Histogram {
  observe(value: number): void
}

/** A metric with its values at one moment, each as a line `series value`. */
export interface MetricSamples {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly lines: readonly string[]
}

/** Collects metrics and prints them in Prometheus' text format 0.0.4. */
export class Registry {
  readonly #metrics: { readonly name: string; readonly help: string; readonly type: string; lines(): readonly string[] }[] = []

  /** Every metric with its help text, whether or not it has a value now. */
  get descriptions(): readonly { readonly name: string; readonly help: string; readonly type: string }[] {
    return this.#metrics
  }

  /** Makes a counter with one series for each set of labels. */
  counter(name: string, help: string): (labels: Labels) => Counter {
    const series: { readonly labels: string; readonly counter: Counter }[] = []
    this.#add(name, help, "counter", () => series.map(({ labels, counter }) => `${name}${braced(labels)} ${counter.value}`))
    return (labels) => {
      const counter = { value: 0 }
      series.push({ labels: labelText(labels), counter })
      return counter
    }
  }

  /** Adds a gauge that is read at each request of the metrics. `undefined` omits it. */
  gauge(name: string, help: string, read: () => number | undefined, type: "gauge" | "counter" = "gauge"): void {
    this.#add(name, help, type, () => {
      const value = read()
      return value === undefined ? [] : [`${name} ${value}`]
    })
  }

  /** Adds gauges by one label, which are read at each request of the metrics. */
  gauges(
    name: string,
    help: string,
    label: string,
    read: () => Readonly<Record<string, number>>,
    type: "gauge" | "counter" = "gauge",
  ): void {
    this.#add(name, help, type, () =>
      Object.entries(read()).map(([value, number]) => `${name}${braced(labelText({ [label]: value }))} ${number}`),
    )
  }

  /** Adds facts as the labels of a series whose value is 1. They are read at each request of the metrics. */
  info(name: string, help: string, read: () => Labels): void {
    this.#add(name, help, "gauge", () => [`${name}${braced(labelText(read()))} 1`])
  }

  /** Makes a histogram with one series for each set of labels. Bounds ascend; a value counts in every bucket that it does not exceed. */
  histogram(name: string, help: string, bounds: readonly number[]): (labels: Labels) => Histogram {
    const all: Buckets[] = []
    this.#add(name, help, "histogram", () => all.flatMap((each) => each.lines(name)))
    return (labels) => {
      const made = new Buckets(labelText(labels), bounds)
      all.push(made)
      return made
    }
  }

  /** Returns every metric with its present values. */
  samples(): readonly MetricSamples[] {
    return this.#metrics.map(({ name, help, type, lines }) => ({ name, help, type, lines: lines() }))
  }

  print(): string {
    return printMetrics(this.samples())
  }

  #add(name: string, help: string, type: string, lines: () => readonly string[]): void {
    this.#metrics.push({ name, help, type, lines })
  }
}

/** Prints metrics in Prometheus' text format. */
export function printMetrics(metrics: readonly MetricSamples[]): string {
  const printed = metrics.flatMap(({ name, help, type, lines }) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines])
  return `${printed.join("\n")}\n`
}

class Buckets implements Histogram {
  readonly #labels: string
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0
  #count = 0

  constructor(labels: string, bounds: readonly number[]) {
    this.#labels = labels
    this.#bounds = bounds
    this.#counts = bounds.map(() => 0)
  }

  observe(value: number): void {
    let bucket = 0
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] as number)) bucket++
    if (bucket < this.#counts.length) this.#counts[bucket] = (this.#counts[bucket] as number) + 1
    this.#sum += value
    this.#count++
  }

  lines(name: string): string[] {
    const labels = this.#labels
    let below = 0
    const buckets = this.#bounds.map((bound, i) => {
      below += this.#counts[i] as number
      return `${name}_bucket${braced(labels, `le="${bound}"`)} ${below}`
    })
    return [
      ...buckets,
      `${name}_bucket${braced(labels, 'le="+Inf"')} ${this.#count}`,
      `${name}_sum${braced(labels)} ${this.#sum}`,
      `${name}_count${braced(labels)} ${this.#count}`,
    ]
  }
}

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (each) => (each === "\n" ? "\\n" : `\\${each}`))}"`)
    .join(",")
}

function braced(labels: string, more = ""): string {
  const all = labels !== "" && more !== "" ? `${labels},${more}` : labels + more
  return all === "" ? "" : `{${all}}`
}
