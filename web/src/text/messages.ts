import { use } from 'react'
import { languageInUse, useLanguage } from '../state/preferences.ts'
import { createReader, type Catalogue, type WithCommon } from './catalogue.ts'
import { errorMessages } from './en/errors.ts'
import { errorText, type Failed, type RequestKind } from './error-text.ts'
import type { german } from './german.ts'
import { relativeText, signedNumber, sizeNumbers, sizeText } from './intl-text.ts'
import { localeOf } from './page-locale.ts'

type CatalogueName = keyof typeof german
type MessagesOf<Name extends CatalogueName> = Awaited<ReturnType<(typeof german)[Name]>>

const read = createReader({ de: async () => (await import('./german.ts')).german })

/** The messages of a catalogue in the current language. Suspends while they load. */
export function useMessages<Name extends CatalogueName>(
  of: Catalogue<Name, MessagesOf<Name>>,
): WithCommon<MessagesOf<Name>> {
  const messages = read(of, useLanguage())
  return messages instanceof Promise ? use(messages) : messages
}

/** Call before the first render: otherwise the frame would suspend and blank the page. */
export async function loadMessages<Name extends CatalogueName>(
  of: Catalogue<Name, MessagesOf<Name>>,
): Promise<void> {
  await read(of, languageInUse())
}

/** `errorText` in the current language. */
export function useErrorText(request?: RequestKind): (failed: Failed) => string {
  const messages = useMessages(errorMessages)
  return (failed) => errorText(messages, failed, request)
}

/** Localized numbers and times. Timestamps are Unix milliseconds, shown in the browser's time zone. */
export interface Format {
  number(value: number): string
  /** With its plus or minus, at its place in every direction. */
  signed(value: number): string
  bytes(value: number): string
  time(at: number): string
  date(at: number): string
  dateTime(at: number): string
  utc(at: number): string
  /** `3 hours ago`, `in 5 minutes`, `now`. */
  relative(at: number, now: number): string
  list(items: readonly string[]): string
}

/** Cached, because `Intl` formatters are expensive and used in hundreds of rows; created lazily. */
const formats = new Map<string, Format>()

function formatOf(language: string): Format {
  const known = formats.get(language)
  if (known) return known
  const made = createFormat(language)
  formats.set(language, made)
  return made
}

function createFormat(language: string): Format {
  const locale = localeOf(language)
  const number = once(() => new Intl.NumberFormat(locale))
  const signed = once(() => signedNumber(locale))
  const bytes = once(() => sizeNumbers(locale))
  const instant = (options: Intl.DateTimeFormatOptions) =>
    once(() => new Intl.DateTimeFormat(locale, options))
  const time = instant({ timeStyle: 'medium' })
  const date = instant({ dateStyle: 'medium' })
  const dateTime = instant({ dateStyle: 'medium', timeStyle: 'short' })
  const utc = instant({ dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'always' }))
  const list = once(() => new Intl.ListFormat(locale))
  return {
    number: (value) => number().format(value),
    signed: (value) => signed()(value),
    bytes: (value) => sizeText(value, bytes()),
    time: (at) => time().format(at),
    date: (at) => date().format(at),
    dateTime: (at) => dateTime().format(at),
    utc: (at) => `${utc().format(at)} UTC`,
    relative: (at, now) => relativeText(at - now, locale, relative()),
    list: (items) => list().format(items),
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

export function useFormat(): Format {
  return formatOf(useLanguage())
}
