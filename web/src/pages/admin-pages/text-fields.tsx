import { pageLimits } from '@pennant/contract/pages.ts'
import { lazy, Suspense, useState } from 'react'
import { MarkdownPreview } from '../../organisers/markdown-preview.tsx'
import { useFileLinks } from '../../organisers/use-file-links.ts'
import { adminPagesMessages } from '../../text/en/admin-pages.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import type { Form } from '../../ui/form.ts'
import { Tabs } from '../../ui/layers/tabs.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { languageLabel } from '../../text/language-label.ts'
import styles from './admin-pages.module.css'
import { languageTag, type Draft, type DraftText } from './draft.ts'

const MarkdownEditor = lazy(async () => ({
  default: (await import('../../ui/rich/markdown-editor.tsx')).MarkdownEditor,
}))

/** Title and text, in a tab for each language. */
export function TextFields({ form }: { readonly form: Form<Draft> }) {
  const text = useMessages(adminPagesMessages)
  const { texts } = form.values
  const [shown, setShown] = useState(texts[0]?.language ?? '')
  const set = (next: readonly DraftText[]) => form.set({ texts: next })
  return (
    <fieldset className={styles.texts} name="texts" tabIndex={-1}>
      <legend>
        <h2>{text.languages}</h2>
      </legend>
      <Tabs
        label={text.languages}
        value={shown}
        onChange={setShown}
        keep={false}
        tabs={texts.map((each, at) => ({
          id: each.language,
          label: at === 0 ? text.isDefault(languageLabel(each.language)) : languageLabel(each.language),
          content: (
            <OneLanguage
              key={each.language}
              of={each}
              onChange={(change) => set(texts.with(at, { ...each, ...change }))}
              onDefault={at === 0 ? null : () => set([each, ...texts.toSpliced(at, 1)])}
              onRemove={texts.length === 1 ? null : () => set(texts.toSpliced(at, 1))}
            />
          ),
        }))}
      />
      {form.errors.texts && <p role="alert">{form.errors.texts}</p>}
      {texts.length < pageLimits.languages && (
        <AddLanguage
          known={texts.map(({ language }) => language)}
          onAdd={(language) => {
            set([...texts, { language, title: '', content: '' }])
            setShown(language)
          }}
        />
      )}
    </fieldset>
  )
}

interface OneLanguageProps {
  readonly of: DraftText
  readonly onChange: (change: Partial<DraftText>) => void
  /** Null for the default itself. */
  readonly onDefault: (() => void) | null
  /** Null for the only one. */
  readonly onRemove: (() => void) | null
}

function OneLanguage({ of: { language, title, content }, onChange, onDefault, onRemove }: OneLanguageProps) {
  const text = useMessages(adminPagesMessages)
  const fileLinks = useFileLinks()
  return (
    <div className="pn-stack pn-gap-4">
      <TextInput
        label={text.title}
        lang={language}
        value={title}
        onChange={(next) => onChange({ title: next })}
        required
        maxLength={pageLimits.title}
        autoComplete="off"
      />
      <Suspense fallback={<Skeleton rows={1} height="14rem" />}>
        <MarkdownEditor
          label={text.content}
          {...fileLinks}
          value={content}
          onChange={(next) => onChange({ content: next.slice(0, pageLimits.content) })}
        />
      </Suspense>
      <MarkdownPreview text={content} />
      {(onDefault || onRemove) && (
        <div className={styles.line}>
          {onDefault && <Button onClick={onDefault}>{text.makeDefault}</Button>}
          {onRemove && (
            <Button onClick={onRemove} icon="trash">
              {text.removeLanguage(languageLabel(language))}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

interface AddLanguageProps {
  readonly known: readonly string[]
  readonly onAdd: (language: string) => void
}

function AddLanguage({ known, onAdd }: AddLanguageProps) {
  const text = useMessages(adminPagesMessages)
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const add = () => {
    const tag = languageTag(typed.trim())
    if (tag === null || known.includes(tag)) return setError(text.badLanguage)
    setTyped('')
    setError(undefined)
    onAdd(tag)
  }
  return (
    <div className={styles.add}>
      <TextInput
        label={text.addLanguage}
        help={text.languageHelp}
        error={error}
        mono
        value={typed}
        onChange={setTyped}
        maxLength={35}
        autoComplete="off"
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <Button onClick={add}>{text.add}</Button>
    </div>
  )
}
