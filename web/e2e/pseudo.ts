// A pseudo-language that reveals elements that are too small for longer words: texts have accents and are 40 % longer.

/** Runs in the page before anything else: replaces each text of the interface, now and whenever it changes. */
export function translatePage(): void {
  const accents: Readonly<Record<string, string>> = { a: 'á', c: 'ç', e: 'é', i: 'í', o: 'ö', u: 'ü', y: 'ý' }
  // Names, code and editors contain no texts of the interface.
  const kept = 'bdi, code, pre, script, style, textarea, [contenteditable]'
  const translate = (node: Node) => {
    const text = node.nodeValue ?? ''
    if (text.trim() === '' || text.startsWith('[') || node.parentElement?.closest(kept)) return
    const longer = '~'.repeat(Math.ceil(text.length * 0.4) - 1)
    node.nodeValue = `[${text.replace(/[aceiouy]/g, (letter) => accents[letter] ?? letter)}${longer}]`
  }
  const translateAll = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    if (root.nodeType === Node.TEXT_NODE) translate(root)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) translate(node)
  }
  const observer = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes)
      for (const node of type === 'characterData' ? [target] : addedNodes) translateAll(node)
  })
  observer.observe(document, { characterData: true, childList: true, subtree: true })
}
