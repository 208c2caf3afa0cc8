/** Builds the captcha field of a request from a solved task. */
export function captchaCodeOf(
  { prefix, signature }: { readonly prefix: string; readonly signature: string },
  found: number,
): string {
  return `${prefix}.${found}.${signature}`
}
