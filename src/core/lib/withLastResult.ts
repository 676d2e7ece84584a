/**
 * Returns the same function, which answers at once if it is called with the same argument again. For pure functions that are called many
 * times in a row with one argument.
 */
export function withLastResult<A extends bigint | number | string, R>(compute: (argument: A) => R): (argument: A) => R {
  let last: { readonly argument: A; readonly result: R } | undefined
  return (argument) => {
    if (last?.argument !== argument) last = { argument, result: compute(argument) }
    return last.result
  }
}
