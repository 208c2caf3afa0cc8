import { MINUTE_MS } from '@pennant/contract/durations.ts'

export const PERIODS = ['all', 'quarter', 'hour', 'start', 'custom'] as const

export interface Period {
  readonly name: (typeof PERIODS)[number]
  /** Unix milliseconds, both inclusive; null for no bound. */
  readonly after: number | null
  readonly before: number | null
}

export function periodOf(chosen: string, start: number | null, now: number): Period {
  const [, from, until] = /^(\d{0,15})-(\d{0,15})$/.exec(chosen) ?? []
  if (from !== undefined && until !== undefined)
    return { name: 'custom', after: instantOf(from), before: instantOf(until) }
  const name = PERIODS.find((known) => known === chosen) ?? 'all'
  if (name === 'start') return { name, after: start, before: null }
  const minutes = { quarter: 15, hour: 60 }[name as string]
  return { name, after: minutes === undefined ? null : now - minutes * MINUTE_MS, before: null }
}

/** Formats a custom time range for the URL. */
export function customPeriod(after: number | null, before: number | null): string {
  return `${after ?? ''}-${before ?? ''}`
}

function instantOf(digits: string): number | null {
  return digits === '' ? null : Number(digits)
}
