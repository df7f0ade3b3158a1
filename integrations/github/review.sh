#!/usr/bin/env bash
# A review of a pull request: annotations of lint and check, and the difference of the specs as one comment.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/api.sh"

MARK='<!-- docrev -->'
read -r -a specs <<<"$SPECS"
read -r -a arguments <<<"${ARGUMENTS:-}"
failed=0

# Exit code 1 stands for findings; anything else is trouble.
docrev lint "${specs[@]}" --format github || { code=$?; [ "$code" -eq 1 ] || exit "$code"; [[ " ${FAIL_ON:-} " != *" lint "* ]] || failed=1; }

number=$(event pull_request.number)
if [ -n "$number" ]; then
  base=$(event pull_request.base.sha)
  git cat-file -e "$base^{commit}" 2>/dev/null || git fetch --quiet --depth=1 origin "$base"
  base=$(git rev-parse --short=12 "$base")
  comment=$(mktemp)
  echo "$MARK" >"$comment"
  for spec in "${specs[@]}"; do
    if git cat-file -e "$base:$spec" 2>/dev/null; then
      docrev diff "$base:$spec" "$spec" --format markdown >>"$comment"
    else
      echo "\`$spec\` is new." >>"$comment"
    fi
  done
  old=$(github GET "/repos/$GITHUB_REPOSITORY/issues/$number/comments?per_page=100" | pick id body "$MARK")
  if [ -n "$old" ]; then
    object body=@"$comment" | github PATCH "/repos/$GITHUB_REPOSITORY/issues/comments/$old" body >/dev/null
  else
    object body=@"$comment" | github POST "/repos/$GITHUB_REPOSITORY/issues/$number/comments" body >/dev/null
  fi
  [ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$comment" >>"$GITHUB_STEP_SUMMARY"
fi

if [ -n "${BASE_URL:-}" ]; then
  docrev check "${specs[@]}" --base-url "$BASE_URL" --evidence "$EVIDENCE" "${arguments[@]}" --format github ||
    { code=$?; [ "$code" -eq 1 ] || exit "$code"; [[ " ${FAIL_ON:-} " != *" check "* ]] || failed=1; }
fi
exit "$failed"
