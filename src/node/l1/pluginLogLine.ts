import type { Log } from "../../core/lib/log.js"

/** A line of subnet-evm and most other VMs: time, level, chain, file, text. */
const LINE = /^\[[\d|:.-]+\]\s+([A-Z]+)\s+(?:<[^>]*>\s+)?(?:\S+\.go:\d+\s+)?(.*)$/

/** Writes a line of a plugin to the node's log, with the name of its chain. Its information is detail to the node. */
export function logPluginLine(log: Log, chain: string, line: string): void {
  const [, level, text] = LINE.exec(line) ?? []
  const data = { chain, text: (text ?? line).replace(/\s+/g, " ").trim() }
  if (level === "ERROR" || level === "FATAL" || level === "CRIT") log.error("plugin", data)
  else if (level === "WARN") log.warn("plugin", data)
  else log.debug("plugin", data)
}
