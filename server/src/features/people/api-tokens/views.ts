import type { ApiToken } from '@pennant/contract/api-tokens.ts'
import type { z } from 'zod'
import type { WorldView } from '../../../world/model.ts'
import { personRows } from '../persons/rows.ts'
import { ownerOf } from './rules.ts'
import type { StoredToken } from './store.ts'

interface WorldAt {
  readonly world: WorldView
  readonly now: number
}

export function apiTokenView(token: StoredToken, { world, now }: WorldAt): z.input<typeof ApiToken> {
  const { id, name, scopes, createdAt, expiresAt, lastUsedAt, lastUsedIp } = token
  const isValid = ownerOf(token, world, now) !== null
  return { id, name, scopes: [...scopes], createdAt, expiresAt, isValid, lastUsedAt, lastUsedIp }
}

export function adminApiTokenView(token: StoredToken, at: WorldAt) {
  const { personId } = token
  const name = personId === null ? null : (at.world.rows(personRows).find(personId)?.name ?? personId)
  const person = personId === null || name === null ? null : { id: personId, name }
  return { ...apiTokenView(token, at), person }
}
