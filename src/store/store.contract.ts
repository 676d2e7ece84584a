import { Diff } from "../core/state/diff.js"
import { viewContract } from "../core/state/view.contract.js"
import { commitContract } from "./commits.contract.js"
import { indexContract } from "./indexes.contract.js"
import { replaceContract } from "./replacing.contract.js"
import { revertContract } from "./reverts.contract.js"
import { closing, type OpenStore, withRows } from "./store.fixture.js"
import { storeViewContract } from "./views.contract.js"

/** The contract of every store, in memory or on the disk. */
export function storeContract(name: string, open: OpenStore): void {
  const fresh: OpenStore = (tables) => closing(open(tables))

  viewContract(`${name}, its latest rows`, (rows) => withRows(fresh(), rows).latest)
  viewContract(`${name}, its rows of one moment`, (rows) => {
    const store = withRows(fresh(), rows)
    const view = store.view()
    withRows(
      store,
      rows.map(([table, key]) => [table, key, undefined]),
    )
    return view
  })
  viewContract(`${name}, under a diff`, (rows) => {
    const half = rows.length >> 1
    const diff = new Diff(withRows(fresh(), rows.slice(0, half)).latest)
    for (const [table, key, value] of rows.slice(half)) diff.put(table, key, value)
    return diff
  })

  commitContract(name, fresh)
  indexContract(name, fresh)
  storeViewContract(name, fresh)
  revertContract(name, fresh)
  replaceContract(name, fresh)
}
