import type { RootDatabase } from "lmdb"

/** The transaction with which lmdb writes. Its reads prefer it to any other. Its types do not declare it. */
interface WritingEnvironment {
  writeTxn: unknown
}

/**
 * Runs steps over several turns of the event loop in one transaction: all their writes are committed, or none. Between two steps the
 * transaction is hidden from reads, which show the previous commit. Nothing else may be written meanwhile. lmdb 3.5.6 hides it from reads
 * of single rows, and from iterations that have a transaction of their own; an iteration without one would see it.
 */
export async function longTransaction(root: RootDatabase, steps: AsyncIterator<() => void>): Promise<void> {
  const { env } = root as RootDatabase & { env: WritingEnvironment }
  await root.transactionSync(async () => {
    const own = env.writeTxn
    for (;;) {
      env.writeTxn = null
      const { value: step, done } = await steps.next()
      env.writeTxn = own
      if (done) return
      step()
    }
  })
}
