import { useEffect } from "preact/hooks"
import { connection } from "./data/chain.js"
import { network } from "./data/network.js"
import { hrefOf, route } from "./data/route.js"
import { SearchBox } from "./parts/SearchBox.js"
import { Problem, Title } from "./parts/states.js"
import { type View, views } from "./views/index.js"

/** The frame of the page: navigation, search, the state of the connection, and the view that the address names. */
export function App() {
  const { view: name, argument } = route.use()
  const view = views.find((each) => each.name === name)
  const { hasLab, name: networkName, version } = network.use()
  const title = view?.title(argument) ?? "Not found"
  useEffect(() => {
    document.title = `${title} · Serac`
    document.getElementById("title")?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [title])
  const shown = views.filter((each) => each.menu !== undefined && (hasLab !== false || each.name !== "lab"))
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("title")?.focus()}>
        Skip to the content
      </button>
      <header>
        <a class="brand" href="#/">
          Serac
        </a>
        <nav aria-label="Views">
          {shown.map((each) => (
            <a
              key={each.name}
              // The Lab keeps its place in the menu until it is known whether the node has one.
              class={each.name === "lab" && hasLab === undefined ? "unknown" : ""}
              href={hrefOf(each.name)}
              aria-current={each === view ? "page" : undefined}
            >
              {each.menu}
              {each.menuMore !== undefined && <span class="wide-only"> {each.menuMore}</span>}
            </a>
          ))}
        </nav>
        <SearchBox />
        <Connection />
      </header>
      <main>{view ? <Shown view={view} argument={argument} /> : <NotFound name={name} />}</main>
      <footer class="quiet">
        {networkName !== "" && <span>Network {networkName}</span>}
        {version !== "" && <span>{version}</span>}
        <span>Times are of this machine's zone; hover for UTC.</span>
      </footer>
    </>
  )
}

function Shown({ view, argument }: { readonly view: View; readonly argument: string }) {
  const { Content, takes } = view
  if (takes !== undefined && argument === "") return <Problem error={new Error(`This view needs ${takes} in its address.`)} />
  return <Content key={`${view.name}/${argument}`} argument={argument} />
}

function NotFound({ name }: { readonly name: string }) {
  return (
    <>
      <Title>Not found</Title>
      <p>
        There is no view “{name}”. The <a href="#/">overview</a> is a good place to start.
      </p>
    </>
  )
}

function Connection() {
  const texts = { starting: "Connecting…", live: "Live", lost: "The node does not answer. Trying again…" } as const
  const state = connection.use()
  return (
    <p class={`connection ${state}`} role="status">
      {texts[state]}
    </p>
  )
}
