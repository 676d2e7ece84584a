/** Prints a whole number with commas between thousands, the same in every locale: `1,234,567`. */
export function groupThousands(value: number | bigint): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ",")
}
