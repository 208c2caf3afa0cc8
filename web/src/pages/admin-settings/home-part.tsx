import { lazy, Suspense, useState } from 'react'
import { useFileLinks } from '../../organisers/use-file-links.ts'
import { adminSettingsMessages } from '../../text/en/admin-settings.ts'
import { useMessages } from '../../text/messages.ts'
import { FieldError } from '../../ui/fields/field.tsx'
import { Section } from '../../ui/states/panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { Setting } from './setting.tsx'
import type { SettingsForm } from './use-settings.ts'

const MarkdownEditor = lazy(async () => ({
  default: (await import('../../ui/rich/markdown-editor.tsx')).MarkdownEditor,
}))

const Markdown = lazy(async () => ({ default: (await import('../../ui/rich/markdown.tsx')).Markdown }))

/** The text of the home page, with an optional preview. */
export function HomePart({ form }: { readonly form: SettingsForm }) {
  const text = useMessages(adminSettingsMessages)
  const fileLinks = useFileLinks()
  const [isShown, setShown] = useState(false)
  const error = form.errors['homeContent']
  return (
    <Setting form={form} name="homeContent">
      <Suspense fallback={<Skeleton rows={1} height="14rem" />}>
        <MarkdownEditor
          label={text.names.homeContent}
          {...fileLinks}
          value={form.values.homeContent}
          onChange={(homeContent) => form.set({ homeContent })}
        />
      </Suspense>
      {error && <FieldError id="home-error">{error}</FieldError>}
      <Section title={text.showPreview} level={3} fold="closed" onFold={setShown}>
        {isShown && (
          <Suspense fallback={<Skeleton rows={4} />}>
            <Markdown text={form.values.homeContent} />
          </Suspense>
        )}
      </Section>
    </Setting>
  )
}
