import { countryCodes } from '@pennant/contract/countries.ts'
import type { ComponentProps } from 'react'
import { useLanguage } from '../state/preferences.ts'
import { Combobox } from '../ui/fields/combobox.tsx'

/** All countries by name. Loaded when a form needs it, because of the list. */
export function CountryField(field: Omit<ComponentProps<typeof Combobox>, 'choices'>) {
  const language = useLanguage()
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const countries = countryCodes
    .map((code) => ({ value: code, label: `${names.of(code) ?? code} (${code})` }))
    .toSorted((left, right) => left.label.localeCompare(right.label, language))
  return <Combobox {...field} choices={countries} />
}
