/** A button that shows more rows of a list. */
export function More({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" onClick={onClick}>
      Show more
    </button>
  )
}
