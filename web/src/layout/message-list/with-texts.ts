/** Gives responses that the page has words for its own text. */
export function withTexts<A extends { readonly kind: string; readonly message: string }>(
  response: A,
  texts: Readonly<Record<string, string>>,
): A {
  const own = Object.hasOwn(texts, response.kind) ? texts[response.kind] : undefined
  return own === undefined ? response : { ...response, message: own }
}
