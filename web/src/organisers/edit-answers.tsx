import { fittingAnswers, type Answers, type CustomField } from '@pennant/contract/custom-field-values.ts'
import { updateAnswers } from '@pennant/contract/custom-fields.ts'
import { useState } from 'react'
import { AnswerFields, refusedProblems, type Problems } from '../account/answer-fields.tsx'
import { FailureLine } from '../account/failure-line.tsx'
import { send } from '../api/client.ts'
import { useFields } from '../api/fields.ts'
import { adminFieldMessages } from '../text/en/admin-fields.ts'
import { useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import { answersKey, useAnswersOf } from './field-lists.tsx'
import { useListAction } from './use-list-action.ts'

interface EditAnswersProps {
  readonly of: CustomField['of']
  readonly id: string
}

/** Corrects answers of a team or person. Nothing if none can be. */
export function EditAnswers({ of, id }: EditAnswersProps) {
  const text = useMessages(adminFieldMessages)
  const [isOpen, setOpen] = useState(false)
  const fields = (useFields() ?? []).filter((field) => field.of === of && field.kind !== 'consent')
  const found = useAnswersOf(of === 'team' ? { teams: [id] } : { people: [id] })
  const owner = (of === 'team' ? found?.teams : found?.people)?.find((each) => each.id === id)
  if (!owner || fields.length === 0) return null
  return (
    <>
      <div>
        <Button onClick={() => setOpen(true)}>{text.editAnswers}</Button>
      </div>
      {isOpen && (
        <Editor of={of} id={id} fields={fields} stored={owner.answers} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

interface EditorProps extends EditAnswersProps {
  readonly fields: readonly CustomField[]
  readonly stored: Answers
  readonly onClose: () => void
}

function Editor({ of, id, fields, stored, onClose }: EditorProps) {
  const text = useMessages(adminFieldMessages)
  const action = useListAction(answersKey)
  const [draft, setDraft] = useState<Answers>({})
  const [problems, setProblems] = useState<Problems>({})
  const shown = fittingAnswers(fields, stored)
  const save = async () => {
    const changed = Object.entries(draft).filter(([field, value]) => value !== (shown[field] ?? ''))
    const data = { fields: Object.fromEntries(changed) }
    const request = send(updateAnswers, { params: { of, id }, body: { data } })
    const isSaved = await action.run(request, text.saved)
    setProblems(refusedProblems(await request) ?? {})
    if (isSaved) onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={text.editAnswers}
      actions={
        <Button tone="primary" busy={action.isPending} onClick={() => void save()}>
          {text.save}
        </Button>
      }
    >
      <div className="pn-stack pn-gap-4">
        <p>{text.editAnswersAbout}</p>
        <AnswerFields
          fields={fields}
          answers={{ ...shown, ...draft }}
          problems={problems}
          onChange={setDraft}
        />
        <FailureLine>{action.failure ?? undefined}</FailureLine>
      </div>
    </Dialog>
  )
}
