import type { ExternalAuthClient } from '@pennant/contract/external-auth.ts'
import type { z } from 'zod'
import type { Client } from './store.ts'

export function clientView(client: Client): z.input<typeof ExternalAuthClient> {
  const { id, name, redirectUri, createdAt, createdBy } = client
  return { id, name, redirectUri, createdAt: createdAt.toISOString(), createdBy }
}

/** The public fields of a client. */
export function publicClientView({ id, name, redirectUri }: Client) {
  return { id, name, redirectUri }
}
