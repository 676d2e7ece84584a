import { type Json, printJson } from "../core/lib/json.js"

/** Prints one line of CSV (RFC 4180) with the values of these columns. Lists are separated by spaces. */
export function csvLine(columns: readonly string[], row: Readonly<Record<string, Json>>): string {
  return columns.map((name) => field(row[name] ?? null)).join(",")
}

function field(value: Json): string {
  const text = textOf(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function textOf(value: Json): string {
  if (value === null) return ""
  if (typeof value === "string") return value
  return Array.isArray(value) ? value.map(textOf).join(" ") : printJson(value)
}
