export interface CommandForm {
  readonly name: string
  readonly text: string
}

const NETCAT = /^(?:nc|ncat|netcat)\s+(--ssl\s+)?([\w.-]+|\[[\da-f:]+\])\s+(\d{1,5})$/i

/** Variants of `nc host port`: with TLS, and for pwntools. Empty for other lines. */
export function commandForms(line: string): CommandForm[] {
  const [, tls, host, port] = NETCAT.exec(line.trim()) ?? []
  if (host === undefined || port === undefined) return []
  const pwntools = `remote('${host.replaceAll(/[[\]]/g, '')}', ${port}${tls ? ', ssl=True' : ''})`
  const forms = [{ name: 'pwntools', text: pwntools }]
  return tls ? forms : [{ name: 'ncat --ssl', text: `ncat --ssl ${host} ${port}` }, ...forms]
}
