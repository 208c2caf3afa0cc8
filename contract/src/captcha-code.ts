/** What goes into the captcha field of a request, once the number of a task is found. */
export function captchaCodeOf(
  { prefix, signature }: { readonly prefix: string; readonly signature: string },
  found: number,
): string {
  return `${prefix}.${found}.${signature}`
}
