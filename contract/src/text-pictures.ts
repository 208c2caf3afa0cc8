// Pictures in Markdown texts. Without imports, so that the site has it without the schema library.

/** Code, which has no pictures; `![name](address`; and `<img src="address`. */
const PICTURE =
  /```[^]*?```|~~~[^]*?~~~|`[^`\n]*`|(!\[[^\]\n]*\]\(\s*<?)([^)<>\s]+)|(<img\b[^<>]*?\ssrc\s*=\s*["']?)([^"'\s<>]+)/gi

/** The text with other addresses for its pictures. `change` is called for each picture, in order. */
export function replacePictures(text: string, change: (address: string) => string): string {
  return text.replaceAll(PICTURE, (all: string, ...groups: (string | undefined)[]) => {
    const [before = groups[2], address = groups[3]] = groups
    return before === undefined || address === undefined ? all : before + change(address)
  })
}

/** The addresses of the pictures of a text. */
export function picturesIn(text: string): string[] {
  const found = new Set<string>()
  replacePictures(text, (address) => {
    found.add(address)
    return address
  })
  return [...found]
}

/**
 * Whether the address means a file beside the text, one of another site that is in none of the sources, or one that
 * readers see.
 */
export function placeOfPicture(address: string, sources: readonly string[]): 'beside' | 'elsewhere' | 'seen' {
  if (/^https?:\/\//i.test(address)) {
    const { origin, protocol } = URL.canParse(address) ? new URL(address) : { origin: '', protocol: '' }
    return sources.includes(origin) || sources.includes(protocol) ? 'seen' : 'elsewhere'
  }
  return /^(?:[a-z][\w+.-]*:|[/#])/i.test(address) ? 'seen' : 'beside'
}

/** The addresses of pictures of a text that are on other sites, so that readers do not see them. */
export function picturesElsewhere(text: string, sources: readonly string[]): string[] {
  return picturesIn(text).filter((address) => placeOfPicture(address, sources) === 'elsewhere')
}

/** How many of the addresses each host has, most first. */
export function countHosts(
  addresses: readonly string[],
): { readonly host: string; readonly count: number }[] {
  const counts = new Map<string, number>()
  for (const address of addresses) {
    const host = URL.canParse(address) ? new URL(address).host : address
    counts.set(host, (counts.get(host) ?? 0) + 1)
  }
  return [...counts].map(([host, count]) => ({ host, count })).toSorted((a, b) => b.count - a.count)
}
