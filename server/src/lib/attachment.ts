/**
 * The header Content-Disposition of a download under a name (RFC 6266): the name itself, and one in ASCII for clients
 * that do not know RFC 8187.
 */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_')
  if (plain === name) return `attachment; filename="${name}"`
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
