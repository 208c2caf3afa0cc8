import type { Settings, SettingsPatch } from '@pennant/contract/admin-settings.ts'
import type { VisibilitySettings } from '@pennant/contract/visibility.ts'
import type { z } from 'zod'
import { isSame } from '../../ui/form.ts'

export interface Sponsor {
  readonly name: string
  readonly icon: string
  readonly description: string
  /** Empty: none. */
  readonly url: string
}

export type TrackDraft = NonNullable<Wire['tracks']>[number]

/** A time of which only a part is typed. NaN is an empty one. */
export const INCOMPLETE = Number.POSITIVE_INFINITY

/** The value of a date field for a time of the draft. */
export function fieldTimeOf(time: number): number | null {
  if (Number.isNaN(time)) return null
  return time === INCOMPLETE ? Number.NaN : time
}

/** The time of the draft for what a date field reports. */
export function draftTimeOf(at: number | null): number {
  if (at === null) return Number.NaN
  return Number.isNaN(at) ? INCOMPLETE : at
}

/** The flattened settings, as the form shows them. */
export interface Values {
  readonly ctfName: string
  /** Unix milliseconds; NaN while the field is empty, `INCOMPLETE` while a part is missing. */
  readonly startTime: number
  readonly endTime: number
  /** NaN without a freeze. */
  readonly freezeTime: number
  readonly faviconUrl: string
  readonly logoLightUrl: string
  readonly logoDarkUrl: string
  readonly homeContent: string
  readonly sponsors: readonly Sponsor[]
  readonly description: string
  readonly imageUrl: string
  readonly externalPictures: boolean
  readonly tracks: readonly TrackDraft[]
  /** NaN without one. */
  readonly tracksLockAt: number
  readonly registrationMode: NonNullable<Wire['registrationMode']>
  /** NaN without one. */
  readonly registrationOpensAt: number
  readonly registrationClosesAt: number
  /** NaN without a maximum. */
  readonly maxTeams: number
  readonly waitingList: boolean
  readonly visibility: VisibilitySettings
}

export type Key = keyof Values

/** Unsaved changes; null resets a setting to its default. */
export type Draft = { readonly [K in Key]?: Values[K] | null }

/** The organisers' overrides and the deployment's defaults. */
export interface Saved {
  readonly overrides: Partial<Values>
  readonly defaults: Values
}

export interface Change {
  readonly key: Key
  readonly from: Values[Key]
  readonly to: Values[Key]
  readonly isReset: boolean
}

type Wire = z.output<typeof Settings>

const NOTHING: Values = {
  ctfName: '',
  startTime: Number.NaN,
  endTime: Number.NaN,
  freezeTime: Number.NaN,
  faviconUrl: '',
  logoLightUrl: '',
  logoDarkUrl: '',
  homeContent: '',
  sponsors: [],
  description: '',
  imageUrl: '',
  externalPictures: false,
  tracks: [],
  tracksLockAt: Number.NaN,
  registrationMode: 'open',
  registrationOpensAt: Number.NaN,
  registrationClosesAt: Number.NaN,
  maxTeams: Number.NaN,
  waitingList: true,
  visibility: {},
}

export function savedOf({
  overrides,
  defaults,
}: {
  readonly overrides: Wire
  readonly defaults: Wire
}): Saved {
  return { overrides: flat(overrides), defaults: { ...NOTHING, ...flat(defaults) } }
}

function flat({ meta, sponsors, ...rest }: Wire): Partial<Values> {
  const all = {
    ...rest,
    ...meta,
    sponsors: sponsors?.map(({ url = '', ...sponsor }) => ({ ...sponsor, url })),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** Returns all settings as they will be after the draft is saved. */
export function valuesOf({ overrides, defaults }: Saved, draft: Draft = {}): Values {
  const left = Object.entries({ ...overrides, ...draft }).filter(([, value]) => value !== null)
  return { ...defaults, ...(Object.fromEntries(left) as Partial<Values>) }
}

export function isOverridden({ overrides }: Saved, draft: Draft, key: Key): boolean {
  const drafted = draft[key]
  return drafted === undefined ? overrides[key] !== undefined : drafted !== null
}

/** Drops draft entries that equal the saved value: typing something and reverting it is not a change. */
export function changesOf(saved: Saved, draft: Draft): Change[] {
  const before = valuesOf(saved)
  const after = valuesOf(saved, draft)
  return (Object.keys(draft) as Key[]).flatMap((key) => {
    const isReset = draft[key] === null
    const isNothing = isReset ? saved.overrides[key] === undefined : isSame(before[key], after[key])
    return isNothing ? [] : [{ key, from: before[key], to: after[key], isReset }]
  })
}

type Patch = z.input<typeof SettingsPatch>

/** Builds the request. Sends only changed settings; the two `meta` fields are sent together. */
export function patchOf(saved: Saved, changes: readonly Change[]): Patch {
  const patch = Object.fromEntries(changes.map(({ key, to, isReset }) => [key, isReset ? null : to])) as Draft
  const { description, imageUrl, sponsors, tracks, ...rest } = patch
  const isMeta = description !== undefined || imageUrl !== undefined
  return {
    ...rest,
    ...(tracks === undefined ? {} : { tracks: tracks && [...tracks] }),
    ...(sponsors === undefined ? {} : { sponsors: sponsors && sponsors.map(sponsorOf) }),
    ...(isMeta ? { meta: metaOf(saved.overrides, { description, imageUrl }) } : {}),
  }
}

type Meta = { readonly [K in 'description' | 'imageUrl']?: string | null | undefined }

/** Null if no `meta` field is overridden any more. */
function metaOf(saved: Meta, changed: Meta): { description?: string; imageUrl?: string } | null {
  const { description = saved.description, imageUrl = saved.imageUrl } = changed
  if (description == null && imageUrl == null) return null
  return { ...(description == null ? {} : { description }), ...(imageUrl == null ? {} : { imageUrl }) }
}

function sponsorOf({ url, ...sponsor }: Sponsor) {
  return { ...sponsor, ...(url.trim() === '' ? {} : { url: url.trim() }) }
}
