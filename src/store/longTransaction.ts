import type { RootDatabase } from "lmdb"

/** The transaction that lmdb writes with. Its reads prefer it to any other; its types do not name it. */
interface WritingEnvironment {
  writeTxn: unknown
}

/**
 * Runs steps over several turns of the event loop in one transaction: everything that they write is committed, or nothing. Between two steps
 * the transaction is hidden from reads, which show what was committed before. Nothing else may be written meanwhile.
 *
 * lmdb 3.5.6 hides it from reads of single rows, and from walks that have a transaction of their own; a walk without one would see it.
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
