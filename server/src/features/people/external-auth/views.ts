import type { ExternalAuthClient } from '@pennant/contract/external-auth.ts'
import type { z } from 'zod'
import type { Client } from './store.ts'

/** `issuer` is that of this site as an OpenID provider. */
export function clientView(client: Client, issuer: string): z.input<typeof ExternalAuthClient> {
  const { createdAt, createdBy } = client
  return { ...publicClientView(client, issuer), createdAt: createdAt.toISOString(), createdBy }
}

/** The public fields of a client. */
export function publicClientView({ id, name, redirectUri, kind }: Client, issuer: string) {
  return { id, name, redirectUri, ...(kind === 'openid' && { issuer }) }
}
