/** Copies a text and returns whether that succeeded. Browsers offer the clipboard to pages of this machine and over TLS only; elsewhere a selection is copied. */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard === undefined) return copySelected(text)
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  )
}

function copySelected(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement("textarea")
  field.value = text
  field.readOnly = true
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand("copy")
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return isCopied
}
