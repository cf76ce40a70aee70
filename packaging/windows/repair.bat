@echo off
rem SPDX-License-Identifier: GPL-2.0-or-later
rem Drop WADs on this file.  It builds their blockmaps anew, and keeps the old
rem file of each with a ~ after its name.
setlocal
if "%~1"=="" (
    echo Drop a WAD on repair.bat to repair it.
    pause
    exit /b 2
)
"%~dp0blocksweep.exe" --in-place --backup %*
set status=%errorlevel%
pause
exit /b %status%
