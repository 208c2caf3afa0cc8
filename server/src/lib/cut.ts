/** The first characters of a text. A pair of surrogates is kept or left out as a whole: JSON services reject half of one. */
export function cut(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/\p{Surrogate}$/u, '')
}
