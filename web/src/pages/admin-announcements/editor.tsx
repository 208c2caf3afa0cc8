import {
  announcementLimits,
  createAnnouncement,
  updateAnnouncement,
} from '@pennant/contract/announcements.ts'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { send } from '../../api/client.ts'
import { useFailureMessage } from '../../layout/use-failure-message.ts'
import { MarkdownPreview } from '../../organisers/markdown-preview.tsx'
import { useFileLinks } from '../../organisers/use-file-links.ts'
import { useDirtyMark } from '../../layout/leaving/use-dirty-mark.ts'
import { useTimed } from '../../state/clock.ts'
import { adminAnnouncementsMessages } from '../../text/en/admin-announcements.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { DateTime } from '../../ui/fields/date-time.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import { useForm, type Form } from '../../ui/form.ts'
import { announce } from '../../ui/announcer.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import styles from './admin-announcements.module.css'
import { audienceKinds, dataOf, draftOf, emptyDraft, severities, type Draft } from './draft.ts'
import { adminAnnouncementsQuery, type AdminAnnouncement } from './queries.ts'
import { Target } from './target.tsx'

const MarkdownEditor = lazy(async () => ({
  default: (await import('../../ui/rich/markdown-editor.tsx')).MarkdownEditor,
}))

interface EditorProps {
  /** Null to create one. */
  readonly stored: AdminAnnouncement | null
  readonly onDone: () => void
  /** What a new one begins with. */
  readonly start?: Partial<Draft> | undefined
}

/** The form of a new or a stored announcement. */
export function Editor({ stored, onDone, start }: EditorProps) {
  const text = useMessages(adminAnnouncementsMessages)
  const [failure, setFailure] = useState<string>()
  // Also a stored one that waits for its time.
  const isUnpublished = useTimed((now) => stored === null || stored.publishAt > now)
  const save = useSave(stored, isUnpublished)
  const form = useForm<Draft>({
    initial: stored ? draftOf(stored) : { ...emptyDraft, ...start },
    validate: ({ title, audience, target }) => ({
      title: title.trim() === '' ? text.errors.missing : undefined,
      target: audience !== 'all' && target.trim() === '' ? text.errors.missing : undefined,
    }),
    async submit(values) {
      const found = await save(values)
      setFailure(found ?? undefined)
      if (found === null) onDone()
    },
  })
  useDirtyMark(form.isDirty || failure !== undefined)
  return (
    <Panel title={stored ? text.editTitle(stored.title) : text.new}>
      <form noValidate className="pn-stack pn-gap-4" onSubmit={(event) => void form.submit(event)}>
        <ErrorSummary errors={form.errors} />
        <TextFields form={form} isFocused={stored !== null} />
        <ReceiverFields form={form} />
        <DateTime
          {...form.field('publishAt')}
          label={text.publishAt}
          help={isUnpublished ? text.publishAtHelp : undefined}
        />
        <FailureLine>{failure}</FailureLine>
        <div className={styles.actions}>
          <Button tone="primary" type="submit" busy={form.isSubmitting}>
            {isUnpublished && form.values.publishAt === null
              ? text.publish
              : stored
                ? text.save
                : text.schedule}
          </Button>
          {stored && <Button onClick={onDone}>{text.cancel}</Button>}
        </div>
      </form>
    </Panel>
  )
}

interface TextFieldsProps {
  readonly form: Form<Draft>
  /** Begins with the focus, which also scrolls to the form. */
  readonly isFocused: boolean
}

function TextFields({ form, isFocused }: TextFieldsProps) {
  const text = useMessages(adminAnnouncementsMessages)
  const fileLinks = useFileLinks()
  const titleInput = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFocused) titleInput.current?.focus()
  }, [isFocused])
  const { content } = form.values
  return (
    <>
      <TextInput
        {...form.field('title')}
        ref={titleInput}
        label={text.title}
        required
        maxLength={announcementLimits.title}
        autoComplete="off"
      />
      <Suspense fallback={<Skeleton rows={1} height="14rem" />}>
        <MarkdownEditor
          label={text.content}
          {...fileLinks}
          value={content}
          onChange={(next) => form.set({ content: next.slice(0, announcementLimits.content) })}
        />
      </Suspense>
      <MarkdownPreview text={content} />
    </>
  )
}

function ReceiverFields({ form }: { readonly form: Form<Draft> }) {
  const text = useMessages(adminAnnouncementsMessages)
  const { severity, audience, pinned, forward } = form.values
  return (
    <>
      <div className={styles.row}>
        <Select
          label={text.severity}
          value={severity}
          onChange={(value) => form.set({ severity: severities.find((each) => each === value) ?? 'info' })}
          choices={severities.map((value) => ({ value, label: text.severities[value] }))}
        />
        <Select
          label={text.audience}
          value={audience}
          onChange={(value) =>
            form.set({ audience: audienceKinds.find((each) => each === value) ?? 'all', target: '' })
          }
          choices={audienceKinds.map((value) => ({ value, label: text.audiences[value] }))}
        />
        <Target form={form} />
      </div>
      <Switch
        kind="checkbox"
        label={text.pinned}
        checked={pinned}
        onChange={(on) => form.set({ pinned: on })}
      />
      {audience === 'all' && (
        <Switch
          kind="checkbox"
          label={text.forward}
          help={text.forwardHelp}
          checked={forward}
          onChange={(on) => form.set({ forward: on })}
        />
      )}
    </>
  )
}

/** Returns a function that saves and returns the failure, or null. Without a time, one that is not published yet is published now. */
function useSave(stored: AdminAnnouncement | null, isUnpublished: boolean) {
  const text = useMessages(adminAnnouncementsMessages)
  const failureMessage = useFailureMessage()
  const queries = useQueryClient()
  return async (draft: Draft): Promise<string | null> => {
    const data = dataOf(draft)
    const failure = await failureMessage(
      stored
        ? send(updateAnnouncement, {
            params: { id: stored.id },
            body: {
              data: {
                ...data,
                ...(isUnpublished && draft.publishAt === null && { publishAt: null }),
                version: stored.version,
              },
            },
          })
        : send(createAnnouncement, { body: { data } }),
    )
    await queries.invalidateQueries({ queryKey: adminAnnouncementsQuery.queryKey })
    if (failure === null) announce(text.saved(draft.title))
    return failure
  }
}
