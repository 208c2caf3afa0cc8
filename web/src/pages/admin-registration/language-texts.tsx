import { fieldLimits } from '@pennant/contract/custom-field-values.ts'
import type { ReactNode } from 'react'
import { languageLabel } from '../../text/language-label.ts'
import { adminFieldMessages } from '../../text/en/admin-fields.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Select } from '../../ui/fields/inputs.tsx'

/** Those that events write texts in most; the API accepts every language. */
const LANGUAGES = 'en de fr es it pt nl pl cs sv da fi el tr uk ru ar he hi ja ko zh'.split(' ')

interface LanguageTextsProps<Text> {
  readonly texts: readonly Text[]
  readonly onChange: (texts: readonly Text[]) => void
  readonly empty: (language: string) => Text
  readonly children: (text: Text, set: (change: Partial<Text>) => void) => ReactNode
}

/** Inputs for each language; the first one is shown to readers of others. */
export function LanguageTexts<Text extends { readonly language: string }>({
  texts,
  onChange,
  empty,
  children,
}: LanguageTextsProps<Text>) {
  const text = useMessages(adminFieldMessages)
  const known = new Set(texts.map(({ language }) => language))
  const others = LANGUAGES.filter((language) => !known.has(language))
  return (
    <>
      {texts.map((each, at) => (
        <fieldset key={each.language} className="pn-stack pn-gap-3" lang={each.language}>
          <legend>{languageLabel(each.language)}</legend>
          {children(each, (change) => onChange(texts.with(at, { ...each, ...change })))}
          {texts.length > 1 && (
            <Button icon="trash" onClick={() => onChange(texts.toSpliced(at, 1))}>
              {text.removeLanguage(languageLabel(each.language))}
            </Button>
          )}
        </fieldset>
      ))}
      {texts.length < fieldLimits.languages && (
        <Select
          label={text.addLanguage}
          value=""
          onChange={(language) => language !== '' && onChange([...texts, empty(language)])}
          choices={[
            { value: '', label: '–' },
            ...others.map((language) => ({ value: language, label: languageLabel(language) })),
          ]}
        />
      )}
    </>
  )
}
