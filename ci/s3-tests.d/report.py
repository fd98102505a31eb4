"""Prints what a run gave: a table by group, the failures with the first line of each error, the sum.

report.py RESULTS [KNOWN] reads junit.xml, groups and missing of RESULTS, writes failed.txt there. KNOWN lists names
that are known to fail. Exit status: 0 nothing failed but those, 1 else, or if nothing passed or a test was not run.
"""
import collections
import os
import sys
import xml.etree.ElementTree as ElementTree

SHOWN = 160
RANK = {'skipped': 0, 'passed': 1, 'failed': 2}


def names(path):
    with open(path, encoding='utf-8') as lines:
        return [line.strip() for line in lines if line.strip() and not line.startswith('#')]


def read(junit):
    """Test -> state, test -> reason, test -> seconds. A test whose clean-up fails has two entries; the worse counts."""
    state, reason, seconds = {}, {}, collections.Counter()
    for case in ElementTree.parse(junit).getroot().iter('testcase'):
        name, now = case.get('name') or '?', 'passed'
        for child in case:
            if child.tag in ('failure', 'error'):
                now = 'failed'
                text = (child.get('message') or child.text or '').strip().splitlines() or ['']
                where = 'before or after the test: ' if child.tag == 'error' else ''
                reason[name] = where + text[0][:SHOWN]
            elif child.tag == 'skipped':
                now = 'skipped'
        if RANK[now] >= RANK[state.get(name, 'skipped')]:
            state[name] = now
        seconds[name] += float(case.get('time') or 0)
    return state, reason, seconds


def table(state, groups):
    rows = {group: collections.Counter() for group in groups.values()}
    for name, now in state.items():
        group = groups.get(name) or groups.get(name.split('[')[0]) or 'other'
        rows.setdefault(group, collections.Counter())[now] += 1
    width = max(len(group) for group in rows)
    print(f'{"group":{width}} {"passed":>7} {"failed":>7} {"skipped":>8}')
    for group, row in rows.items():
        print(f'{group:{width}} {row["passed"]:7} {row["failed"]:7} {row["skipped"]:8}')


def main(results, known_file):
    with open(os.path.join(results, 'groups'), encoding='utf-8') as lines:
        groups = dict(line.rstrip('\n').split('\t') for line in lines)
    state, reason, seconds = read(os.path.join(results, 'junit.xml'))
    known = set(names(known_file)) if known_file else set()
    failed = sorted(name for name, now in state.items() if now == 'failed')
    with open(os.path.join(results, 'failed.txt'), 'w', encoding='utf-8') as out:
        out.writelines(name + '\n' for name in failed)
    table(state, groups)
    if failed:
        print('failures:')
        for name in failed:
            print(f'  {name}{" (known)" if name in known else ""}  {reason.get(name, "")}')
    fixed = sorted(name for name in known if state.get(name) == 'passed')
    if fixed:
        print('known to fail, but passed: ' + ' '.join(fixed))
    missing = names(os.path.join(results, 'missing'))
    if missing:
        print(f'not in this checkout ({len(missing)}): ' + ' '.join(missing))
    print('slowest: ' + ', '.join(f'{name} {time:.1f} s' for name, time in seconds.most_common(3)))
    sums = collections.Counter(state.values())
    not_run = len(groups) - len(state)
    print(f'passed {sums["passed"]} failed {sums["failed"]} skipped {sums["skipped"]}'
          + (f' not run {not_run}' if not_run > 0 else ''))
    # Options of pytest's may have chosen among them.
    complete = not_run <= 0 or os.environ.get('S3RDMA_CHOSEN', '0') != '0'
    return 1 if set(failed) - known or not sums['passed'] or not complete else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None))
