import { catalogue, useText } from './catalogue.ts'
import { errors } from './en/errors.ts'
import { errorText, type Deed, type Failed } from './error-text.ts'

export const errorCatalogue = catalogue(errors, {
  de: async () => (await import('./de/errors.ts')).errors,
})

/** `errorText` in the language in use. */
export function useErrorText(deed?: Deed): (failed: Failed) => string {
  const words = useText(errorCatalogue)
  return (failed) => errorText(words, failed, deed)
}
