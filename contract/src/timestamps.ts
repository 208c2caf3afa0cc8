// No run-time imports: the site's build would drop the function otherwise (web/build/contract-routes.ts).

/** Unix milliseconds of a timestamp such as `2027-03-05T18:00:00Z`; NaN if the text is not one. */
export function parseTimestamp(text: string): number {
  return Date.parse(text)
}
