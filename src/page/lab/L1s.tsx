import { grouped } from "../data/format.js"
import { askL1s } from "../data/l1s.js"
import { hrefOf } from "../data/route.js"
import { useQuery } from "../data/useQuery.js"

/** The L1s whose VMs run in the node. */
export function L1s() {
  const { data: l1s = [] } = useQuery("lab l1s", askL1s)
  return (
    <ul class="list">
      {l1s.map((each) => (
        <li key={each.chainID}>
          <a href={hrefOf("l1", each.name)}>{each.name}</a>
          <span class={each.state === "running" ? "good" : "bad"}>{each.state}</span>
          {each.height !== undefined && <span class="quiet end">height {grouped(each.height)}</span>}
        </li>
      ))}
    </ul>
  )
}
