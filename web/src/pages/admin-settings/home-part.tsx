import { lazy, Suspense } from 'react'
import { MarkdownPreview } from '../../organisers/markdown-preview.tsx'
import { useFileLinks } from '../../organisers/use-file-links.ts'
import { adminSettingsMessages } from '../../text/en/admin-settings.ts'
import { useMessages } from '../../text/messages.ts'
import { FieldError } from '../../ui/fields/field.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { Setting } from './setting.tsx'
import type { SettingsForm } from './use-settings.ts'

const MarkdownEditor = lazy(async () => ({
  default: (await import('../../ui/rich/markdown-editor.tsx')).MarkdownEditor,
}))

/** The text of the home page, with an optional preview. */
export function HomePart({ form }: { readonly form: SettingsForm }) {
  const text = useMessages(adminSettingsMessages)
  const fileLinks = useFileLinks()
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
      <MarkdownPreview text={form.values.homeContent} />
    </Setting>
  )
}
