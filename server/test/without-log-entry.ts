/** Routes that leave no entry, and why. */
export const withoutEntry: Readonly<Record<string, string>> = {
  'POST /api/v2/admin/users': 'reads: the filter is in the body',
  'POST /api/v2/admin/submissions': 'reads: the filter is in the body',
  'POST /api/v1/admin/upload/query': 'reads: the question is in the body',
  'POST /api/v2/admin/upload/query': 'reads: the question is in the body',
  'POST /api/v2/admin/import':
    'needs an empty contest: server/src/ops/import/upload/routes.test.ts checks its entry',
  'POST /api/v2/admin/upload/picture':
    'needs another site: server/src/features/site/uploads/routes.test.ts checks its entry',
  'POST /api/v2/admin/field-answers': 'reads: the ids are in the body',
  'POST /api/v2/admin/mailings/preview': 'counts addresses and sends nothing',
  'POST /api/v2/admin/flag-trials': 'compares flags and leaves no trace',
  'POST /api/v2/admin/diagnosis': 'checks the deployment and changes nothing',
}
