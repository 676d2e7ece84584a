/** An object with methods, among them one that is compiled later. */
type Owner = Record<string, unknown> | undefined

/**
 * Returns a method that is compiled at its first call, because a start would compile hundreds that it does not call. From then on the
 * compiled one takes its place in the object, so that calls reach it without a step between.
 */
export function compiledLater<Given extends readonly unknown[], Result>(
  name: string,
  compile: () => (...given: Given) => Result,
): (...given: Given) => Result {
  let compiled: ((...given: Given) => Result) | undefined
  return function later(this: Owner, ...given) {
    compiled ??= compile()
    if (this?.[name] === later) this[name] = compiled
    return compiled(...given)
  }
}
