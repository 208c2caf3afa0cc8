import { linkProvider, startProvider } from '@pennant/contract/sign-in.ts'
import { send } from '../api/client.ts'
import type { ActionResult } from './use-action.ts'
import { readTab, writeTab } from '../state/storage.ts'

const KEY = 'pennant.provider'
const KEY_BYTES = 32

interface Journey {
  readonly provider: string
  /** Only this browser has it, so only this one finishes what it started. */
  readonly browserKey: string
  /** Where a sign-in leads; null to link the account. */
  readonly next: string | null
}

interface Start {
  readonly provider: string
  readonly isLink: boolean
  readonly next?: string | null
}

/** Goes to the provider. Returns the response, also if it was refused. */
export async function leaveForProvider({ provider, isLink, next = '/' }: Start): Promise<ActionResult> {
  const browserKey = randomKey()
  const request = { params: { id: provider }, body: { browserKey } }
  const response = isLink ? await send(linkProvider, request) : await send(startProvider, request)
  if (response.kind !== 'goodProviderStart') return response
  writeTab(KEY, JSON.stringify({ provider, browserKey, next: isLink ? null : (next ?? '/') }))
  location.assign(response.data.url)
  return response
}

/** The journey of this tab to a provider, or null. */
export function journeyTo(provider: string): Journey | null {
  const text = readTab(KEY)
  // Only `leaveForProvider` writes this key.
  const journey = text === null ? null : (JSON.parse(text) as Journey)
  return journey?.provider === provider ? journey : null
}

/** A return is accepted only once. */
export function forgetProviderJourney(): void {
  writeTab(KEY, null)
}

function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
