/**
 * Reads the body of an answer until it ends, or until the signal of its request does. `fetch` of Node 20 may lose the signal while a long body is
 * read, so the body listens for the signal itself.
 */
export async function* bodyChunks(
  body: ReadableStream<Uint8Array> | null,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader()
  if (!reader) return
  const cancel = () => void reader.cancel(signal?.reason).catch(() => {})
  signal?.addEventListener("abort", cancel, { once: true })
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { done, value } = await reader.read()
      signal?.throwIfAborted()
      if (done) return
      yield value
    }
  } finally {
    signal?.removeEventListener("abort", cancel)
    cancel()
  }
}

/** Reads the body of an answer as text. Returns `undefined` and reads no further if it has more than `most` bytes. */
export async function bodyText(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let [text, size] = ["", 0]
  for await (const chunk of bodyChunks(body, signal)) {
    size += chunk.length
    if (size > most) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
