"""Turns lists of test names into pytest node ids of a checkout.

choose.py CHECKOUT RESULTS LIST... writes to RESULTS: ids (one node id a line), groups (name, tab, group)
and missing (names that the checkout does not have).
"""
import os
import re
import sys


def functions(folder):
    """Test function -> file; test_s3 and test_headers win where a name is used twice."""
    first = ['test_s3.py', 'test_headers.py']
    rest = sorted(f for f in os.listdir(folder) if re.fullmatch(r'test_\w+\.py', f) and f not in first)
    found = {}
    for name in first + rest:
        with open(os.path.join(folder, name), encoding='utf-8') as source:
            for match in re.finditer(r'^def (test_\w+)\(', source.read(), re.MULTILINE):
                found.setdefault(match.group(1), name)
    return found


def entries(path):
    """Pairs of name (with [parameter], if any) and group."""
    group = os.path.splitext(os.path.basename(path))[0]
    with open(path, encoding='utf-8') as lines:
        for line in lines:
            heading = re.match(r'#\s*group:\s*(.+)', line)
            if heading:
                group = heading.group(1).strip()
                continue
            name = line.split('#', 1)[0].strip()
            if name:
                yield name, group


def main(checkout, results, lists):
    where = functions(os.path.join(checkout, 's3tests', 'functional'))
    chosen, missing = {}, []
    for path in lists:
        for name, group in entries(path):
            file = where.get(name.split('[', 1)[0])
            if file is None:
                missing.append(name)
            else:
                chosen.setdefault(f's3tests/functional/{file}::{name}', f'{name}\t{group}')
    for name, rows in (('ids', chosen.keys()), ('groups', chosen.values()), ('missing', missing)):
        with open(os.path.join(results, name), 'w', encoding='utf-8') as out:
            out.writelines(row + '\n' for row in rows)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
