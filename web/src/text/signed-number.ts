/** A number with its plus or minus, which stays before the digits among words that run from right to left. */
export function signedNumber(locale: string): (value: number) => string {
  const format = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' })
  return (value) => `\u2066${format.format(value)}\u2069`
}
