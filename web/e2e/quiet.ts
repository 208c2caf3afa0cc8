interface Quiet {
  readonly quietMs: number
  /** Resolves after this time in any case. */
  readonly limitMs: number
}

/** An expression for the page that resolves when nothing in the document has changed for a while. */
export const quietFor = ({ quietMs, limitMs }: Quiet) => `new Promise((resolve) => {
  const finish = () => { observer.disconnect(); clearTimeout(limit); resolve() }
  let timer = setTimeout(finish, ${quietMs})
  const limit = setTimeout(finish, ${limitMs})
  const observer = new MutationObserver(() => {
    clearTimeout(timer)
    timer = setTimeout(finish, ${quietMs})
  })
  observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true })
})`
